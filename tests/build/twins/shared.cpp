#ifndef shared_EXPORTS
#error "something was lost"
#endif
int inner();
int shared() { return inner(); }
