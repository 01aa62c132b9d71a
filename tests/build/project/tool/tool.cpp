#include <cstdio>
int plain();
int main() { std::puts("made"); }
