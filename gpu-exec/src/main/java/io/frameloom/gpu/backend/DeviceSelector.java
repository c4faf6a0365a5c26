package io.frameloom.gpu.backend;

/**
 * What the user asked for with {@code --device}.
 */
public sealed interface DeviceSelector {
    /** The best Vulkan device, or the virtual GPU where there is none. */
    record Auto() implements DeviceSelector {}

    /**
     * The virtual GPU.
     *
     * @param queues number of queues, 1 to 8
     * @param seed seed of its interleaving
     */
    record Virtual(int queues, long seed) implements DeviceSelector {
        /** Two queues, seed 1. */
        public static final Virtual DEFAULT = new Virtual(2, 1);
    }

    /**
     * The Vulkan device whose name contains {@code name}, ignoring case.
     *
     * @param name part of a device name
     */
    record Named(String name) implements DeviceSelector {}

    /**
     * Parses {@code auto}, {@code virtual}, {@code virtual:queues=3,seed=7} or a part of a device name.
     *
     * @throws IllegalArgumentException with one line that says what is wrong
     */
    static DeviceSelector parse(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("device name is empty; use auto, virtual or a part of a device name");
        }
        if (text.equals("auto")) {
            return new Auto();
        }
        if (text.equals("virtual")) {
            return Virtual.DEFAULT;
        }
        if (text.startsWith("virtual:")) {
            return parseVirtual(text.substring("virtual:".length()));
        }
        return new Named(text);
    }

    private static Virtual parseVirtual(String settings) {
        int queues = Virtual.DEFAULT.queues();
        long seed = Virtual.DEFAULT.seed();
        for (String setting : settings.split(",", -1)) {
            int equals = setting.indexOf('=');
            String key = equals < 0 ? setting : setting.substring(0, equals);
            String value = equals < 0 ? "" : setting.substring(equals + 1);
            try {
                switch (key) {
                    case "queues" -> queues = Integer.parseInt(value);
                    case "seed" -> seed = Long.parseLong(value);
                    default ->
                        throw new IllegalArgumentException(
                                "unknown setting '" + key + "' of the virtual device; known are queues and seed");
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "setting '" + key + "' of the virtual device needs a whole number, got '" + value + "'", e);
            }
        }
        if (queues < 1 || queues > 8) {
            throw new IllegalArgumentException("the virtual device has 1 to 8 queues, got " + queues);
        }
        return new Virtual(queues, seed);
    }
}
