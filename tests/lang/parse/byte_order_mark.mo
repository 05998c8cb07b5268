model M
end M;
