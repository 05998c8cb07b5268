within Nowhere.Else;
//? find M in M
model M
end M;
