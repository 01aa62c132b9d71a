int parts() { return 1; }
