int inner() { return 1; }
