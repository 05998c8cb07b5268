model Single
end Single;
