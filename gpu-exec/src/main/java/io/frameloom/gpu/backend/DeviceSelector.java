package io.frameloom.gpu.backend;

import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.virtual.SurfaceFault;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** What the user asked for with {@code --device}. */
public sealed interface DeviceSelector {
    /**
     * The best Vulkan device, or the virtual GPU where there is none.
     *
     * @param mayBeVirtual whether the virtual GPU, which renders no picture, is taken where there is no Vulkan device;
     *     the log then says so
     */
    record Auto(boolean mayBeVirtual) implements DeviceSelector {
        /** The best Vulkan device, or the virtual GPU. */
        public Auto() {
            this(true);
        }

        /** The best Vulkan device; opening fails where there is none. */
        public Auto orFail() {
            return new Auto(false);
        }
    }

    /**
     * The virtual GPU.
     *
     * @param options how it behaves
     */
    record Virtual(VirtualGpuOptions options) implements DeviceSelector {
        /** Two queues, seed 1. */
        public static final Virtual DEFAULT = new Virtual(new VirtualGpuOptions(2, 1));
    }

    /**
     * The Vulkan device that this names.
     *
     * @param name part of a device name, ignoring case; or, to choose among devices of one name, {@code #} and its
     *     index, its UUID or its PCI address ({@link io.frameloom.gpu.vulkan.VulkanDeviceInfo})
     */
    record Named(String name) implements DeviceSelector {}

    /**
     * Parses {@code auto}, {@code auto:orFail}, {@code virtual}, {@code virtual:} with settings, a part of a device
     * name, or one of several equal devices: {@code #1} for the second that the loader lists, a UUID, or a PCI address
     * as in {@code 0000:01:00.0}. The error for an unknown name lists all devices.
     *
     * <p>Settings are separated by commas, as in {@code virtual:queues=3,seed=7}; each may be given once:
     *
     * <ul>
     *   <li>{@code queues=N}: number of queues, 1 to 8 (default 2), or {@code queues=G+C+T}: how many graphics, compute
     *       and copy queues, at most 64 in all, as in {@code queues=16+8+2}
     *   <li>{@code seed=N}: seed of the interleaving (default 1)
     *   <li>{@code order=random}, {@code in-order} or {@code reverse}: order of work that nothing orders
     *   <li>{@code clobber=on} or {@code off}: whether undefined memory is filled with garbage (default on)
     *   <li>{@code lazy=on} or {@code off}: whether it has lazily allocated memory (default off)
     *   <li>{@code cost=PERCENT}: cost of simulated work in percent of the built-in model (default 100)
     *   <li>{@code lose=N}: the N-th submission loses the device
     *   <li>{@code oom=N}: the N-th allocation finds no memory
     *   <li>{@code surface=lost:N}, {@code out-of-date:N} or {@code suboptimal:N}: result of the N-th presentation
     * </ul>
     *
     * <p>{@link VirtualGpuOptions} describes them.
     *
     * @throws IllegalArgumentException with one line that says what is wrong
     */
    static DeviceSelector parse(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException(
                    "device name is empty; use auto, auto:orFail, virtual or a part of a device name");
        }
        if (text.equals("auto")) {
            return new Auto();
        }
        if (text.equals("auto:orFail")) {
            return new Auto().orFail();
        }
        if (text.startsWith("auto:")) {
            throw new IllegalArgumentException("device '" + text + "' is none; use auto, or auto:orFail to fail where"
                    + " there is no Vulkan device");
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
        VirtualGpuOptions options = Virtual.DEFAULT.options();
        Set<String> given = new HashSet<>();
        for (String setting : settings.split(",", -1)) {
            int equals = setting.indexOf('=');
            String key = equals < 0 ? setting : setting.substring(0, equals);
            String value = equals < 0 ? "" : setting.substring(equals + 1);
            if (!given.add(key)) {
                throw new IllegalArgumentException(
                        "setting '" + key + "' of the virtual device is given twice; give it once");
            }
            options = with(options, key, value);
        }
        return new Virtual(options);
    }

    private static VirtualGpuOptions with(VirtualGpuOptions options, String key, String value) {
        try {
            return switch (key) {
                case "queues" -> withQueues(options, value);
                case "seed" -> options.withSeed(Long.parseLong(value));
                case "order" -> options.withOrder(order(value));
                case "clobber" -> options.withClobber(onOrOff(key, value));
                case "lazy" -> options.withLazyMemory(onOrOff(key, value));
                case "cost" -> options.withCostPercent(Integer.parseInt(value));
                case "lose" -> options.withLossAt(Long.parseLong(value));
                case "oom" -> options.withOutOfMemoryAt(Long.parseLong(value));
                case "surface" -> options.withSurfaceFault(surfaceFault(value));
                default ->
                    throw new IllegalArgumentException("unknown setting '" + key + "' of the virtual device; known are"
                            + " queues, seed, order, clobber, lazy, cost, lose, oom and surface");
            };
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "setting '" + key + "' of the virtual device needs a whole number, got '" + value + "'", e);
        }
    }

    private static VirtualGpuOptions withQueues(VirtualGpuOptions options, String value) {
        if (!value.matches("-?\\d{1,9}|\\d{1,9}(\\+\\d{1,9}){2}")) {
            throw new IllegalArgumentException("setting 'queues' of the virtual device is a number or"
                    + " GRAPHICS+COMPUTE+COPY as in 16+8+2, got '" + value + "'");
        }
        String[] kinds = value.split("\\+", -1);
        if (kinds.length == 1) {
            return options.withQueues(Integer.parseInt(value));
        }
        return options.withQueues(
                new QueueCounts(Integer.parseInt(kinds[0]), Integer.parseInt(kinds[1]), Integer.parseInt(kinds[2])));
    }

    private static VirtualGpuOptions.Order order(String value) {
        for (VirtualGpuOptions.Order order : VirtualGpuOptions.Order.values()) {
            if (order.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(value)) {
                return order;
            }
        }
        throw new IllegalArgumentException(
                "setting 'order' of the virtual device is random, in-order or reverse, got '" + value + "'");
    }

    private static SurfaceFault surfaceFault(String value) {
        int colon = value.indexOf(':');
        SwapchainStatus status = switch (value.substring(0, colon + 1)) {
            case "lost:" -> SwapchainStatus.SURFACE_LOST;
            case "out-of-date:" -> SwapchainStatus.OUT_OF_DATE;
            case "suboptimal:" -> SwapchainStatus.SUBOPTIMAL;
            default ->
                throw new IllegalArgumentException("setting 'surface' of the virtual device is lost:N, out-of-date:N or"
                        + " suboptimal:N, got '" + value + "'");
        };
        return new SurfaceFault(status, Long.parseLong(value.substring(colon + 1)));
    }

    private static boolean onOrOff(String key, String value) {
        return switch (value) {
            case "on" -> true;
            case "off" -> false;
            default ->
                throw new IllegalArgumentException(
                        "setting '" + key + "' of the virtual device is on or off, got '" + value + "'");
        };
    }
}
