// Guesses the encoding of old text. Debian: libuchardet-dev.
#include <uchardet.h>
