#include <cstdio>

int main() {
  std::puts("arges");
  return 0;
}
