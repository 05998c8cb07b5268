within Good;
model Place
end Place;
model More
end More;
