partial Foo
end Foo;
pure model M
end M;
expandable record R
end R;
operator block B
end B;
