int late() { return 1; }
