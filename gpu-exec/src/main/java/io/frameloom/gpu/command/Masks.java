package io.frameloom.gpu.command;

/** Formatting of {@code int} masks whose bit positions are the ordinals of an enum. */
@SuppressWarnings("EnumOrdinal") // the declaration order is the definition
final class Masks {
    private Masks() {}

    static String describe(int mask, Enum<?>[] values) {
        StringBuilder text = new StringBuilder();
        for (Enum<?> value : values) {
            if ((mask & 1 << value.ordinal()) != 0) {
                if (text.length() > 0) {
                    text.append('|');
                }
                text.append(value.name());
            }
        }
        return text.length() == 0 ? "NONE" : text.toString();
    }
}
