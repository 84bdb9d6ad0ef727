/* Calls a function with three int8 arguments and one result on made-up values.
 * HEADER, CALL and SIZE (of the largest buffer) come from the command line. */
#include HEADER

static int8_t a[SIZE], b[SIZE], c[SIZE],
    out[4 * SIZE] __attribute__((aligned(8)));

int main(void) {
  for (int i = 0; i != SIZE; ++i) {
    a[i] = (int8_t)(i * 7 % 251 - 125);
    b[i] = (int8_t)(i * 11 % 253 - 126);
    c[i] = (int8_t)(i * 13 % 255 - 127);
  }
  CALL(a, b, c, (void *)out);
  return 0;
}
