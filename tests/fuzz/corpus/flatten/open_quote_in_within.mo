within 'Bad;
model A
end A;
