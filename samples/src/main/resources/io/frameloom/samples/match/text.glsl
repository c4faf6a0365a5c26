// Brackets as words: the byte's place in the window, the kind (round, square, curly), and whether it opens.

#define NO_BRACKET 0xFFFFFFFFu

uint bracketOf(uint place, uint character) {
    uint code = character == 0x28u ? 1u
              : character == 0x29u ? 0u
              : character == 0x5Bu ? 3u
              : character == 0x5Du ? 2u
              : character == 0x7Bu ? 5u
              : character == 0x7Du ? 4u
                                   : NO_BRACKET;
    return code == NO_BRACKET ? NO_BRACKET : place << 3 | code;
}
