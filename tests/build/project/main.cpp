int run(int, char**);
int main(int argc, char** argv) { return run(argc, argv); }
