//? path libs
//? names Bad
//? find Bad.Name in M
//? find Bad.Place in M
//? find Bad.NoWithin in M
//? find Bad.Link in M
//? find Lbi.x in M

model M
end M;
