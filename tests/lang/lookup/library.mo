//? path libs
//? find Lib.k in M
//? files
//? find Lib.One in M
//? find Lib.One.x in M
//? files
//? names Lib
//? names Lib.Sub
//? find Lib.Inside.I in M
//? find Ver.new in M
//? find Single in M
//? files
model M
end M;
