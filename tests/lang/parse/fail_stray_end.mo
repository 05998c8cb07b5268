model A
end A;
end A;
x = 1;
within B;
model C
end C;;
