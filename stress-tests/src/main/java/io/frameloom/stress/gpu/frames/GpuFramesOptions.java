package io.frameloom.stress.gpu.frames;

import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.backend.DeviceSelector;

/**
 * What {@link GpuFramesMain} is asked for.
 *
 * @param device device
 * @param queues its queues
 * @param seed seed of the first case; the next ones have the numbers behind it
 * @param minutes how long it runs, or 0 if {@code graphs} says that
 * @param graphs how many graphs it runs at least, or 0 if {@code minutes} says that
 * @param validation whether the validation layers look on
 */
record GpuFramesOptions(
        DeviceSelector device, QueueCounts queues, long seed, double minutes, int graphs, boolean validation) {
    /** Options of the command line, as they are told who gets them wrong. */
    static final String USAGE = "usage: GpuFramesMain [--device NAME] [--queues all|G,C,T] [--seed N]"
            + " [--minutes N | --graphs N] [--validate yes|no]";

    private static final int GRAPHS = 200;
    private static final int MOST_GRAPHS = 10_000_000;

    /**
     * Reads a command line.
     *
     * @param seed what it is if none is given
     * @throws IllegalArgumentException with one line that says what is wrong
     */
    static GpuFramesOptions parse(String[] arguments, long seed) {
        GpuFramesOptions options = new GpuFramesOptions(new DeviceSelector.Auto(), QueueCounts.ALL, seed, 0, 0, false);
        for (int i = 0; i < arguments.length; i += 2) {
            String value = i + 1 < arguments.length ? arguments[i + 1] : "";
            try {
                options = options.with(arguments[i], value);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(arguments[i] + " needs a number, got '" + value + "'", e);
            }
        }
        if (options.minutes > 0 && options.graphs > 0) {
            throw new IllegalArgumentException("--minutes and --graphs both say how long it runs; give one of them");
        }
        return options.minutes > 0 || options.graphs > 0 ? options : options.withGraphs(GRAPHS);
    }

    private GpuFramesOptions with(String name, String value) {
        try {
            return switch (name) {
                case "--device" ->
                    new GpuFramesOptions(DeviceSelector.parse(value), queues, seed, minutes, graphs, validation);
                case "--queues" ->
                    new GpuFramesOptions(device, QueueCounts.parse(value), seed, minutes, graphs, validation);
                case "--seed" ->
                    new GpuFramesOptions(device, queues, Long.parseLong(value), minutes, graphs, validation);
                case "--minutes" ->
                    new GpuFramesOptions(device, queues, seed, positive(Double.parseDouble(value)), graphs, validation);
                case "--graphs" -> withGraphs(within(Integer.parseInt(value)));
                case "--validate" -> new GpuFramesOptions(device, queues, seed, minutes, graphs, yes(value));
                default -> throw new IllegalStateException("unknown option " + name);
            };
        } catch (NumberFormatException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        } catch (IllegalStateException unknown) {
            throw new IllegalArgumentException(unknown.getMessage(), unknown);
        }
    }

    private GpuFramesOptions withGraphs(int value) {
        return new GpuFramesOptions(device, queues, seed, minutes, value, validation);
    }

    private static double positive(double minutes) {
        if (!(minutes > 0)) {
            throw new IllegalArgumentException("must be positive");
        }
        return minutes;
    }

    private static int within(int graphs) {
        if (graphs < 1 || graphs > MOST_GRAPHS) {
            throw new IllegalArgumentException("must be from 1 to " + MOST_GRAPHS + ", got " + graphs);
        }
        return graphs;
    }

    private static boolean yes(String value) {
        return switch (value) {
            case "yes" -> true;
            case "no" -> false;
            default -> throw new IllegalArgumentException("is yes or no, got '" + value + "'");
        };
    }
}
