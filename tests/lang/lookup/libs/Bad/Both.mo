within Bad;
model Both
end Both;
