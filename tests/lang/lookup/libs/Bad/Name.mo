within Bad;
model Other
end Other;
