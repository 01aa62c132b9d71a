int unit_2() { return of_unit_1; }  // of the same unity file
