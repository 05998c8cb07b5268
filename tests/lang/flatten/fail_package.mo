package Fail
end Fail;
