within Lib.Sub;
model Unread
  Real x
end Unread;
