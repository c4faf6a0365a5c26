package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.check.UnneededSync;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Devices on which models are executed, planned in adverse orders and serially, and compared. */
final class ModelRun implements AutoCloseable {
    private final QueueCounts queues;
    private final ModelDevice serial;
    private final List<Planned> orders = new ArrayList<>();
    private int stopped;
    private int turn;

    /** A device that picks an adverse order. */
    private static final class Planned implements AutoCloseable {
        private final HazardChecker checker;
        private final ModelDevice device;
        private final FrameExecutor executor;

        Planned(VirtualGpuOptions options, UnneededSync.Search search) {
            checker = new HazardChecker(search);
            device = new ModelDevice(options, checker);
            executor = new FrameExecutor(device.gpu, device.tasks, FrameExecutorOptions.defaults());
        }

        @Override
        public void close() {
            executor.close();
            device.close();
        }
    }

    ModelRun(QueueCounts queues, long seed) {
        this(queues, seed, UnneededSync.Search.NONE);
    }

    ModelRun(QueueCounts queues, long seed, UnneededSync.Search search) {
        this.queues = queues;
        VirtualGpuOptions options = new VirtualGpuOptions(1, seed);
        serial = new ModelDevice(options.withOrder(VirtualGpuOptions.Order.IN_ORDER), new HazardChecker());
        orders.add(new Planned(options.withQueues(queues), search));
        if (search == UnneededSync.Search.NONE) {
            orders.add(new Planned(options.withQueues(queues).withOrder(VirtualGpuOptions.Order.REVERSE), search));
        }
    }

    QueueTopology queues() {
        return QueueTopology.of(orders.get(0).device.gpu);
    }

    /** What draws leave depends on where render passes begin and end. */
    private static boolean draws(PlanCase random) {
        return !random.options().mergeRenderPasses()
                && random.model().passes().stream().noneMatch(pass -> pass.hasTargets() && pass.parts() > 0);
    }

    /** Returns what is wrong with the frames of a case in some order, or null. */
    @Nullable
    Throwable failure(PlanCase random, int frames) {
        return failure(random, frames, orders);
    }

    /** Returns what is wrong with the frames of a case in one of the orders, the next one with each call, or null. */
    @Nullable
    Throwable failureInOneOrder(PlanCase random, int frames) {
        turn = (turn + 1) % orders.size();
        return failure(random, frames, List.of(orders.get(turn)));
    }

    private @Nullable Throwable failure(PlanCase random, int frames, List<Planned> wantedOrders) {
        boolean draws = draws(random);
        try {
            GraphModel order = SerialOrder.of(random.model(), random.options().order());
            Map<String, String> wanted = SerialFrames.run(serial, order, draws, frames);
            for (Planned planned : wantedOrders) {
                Map<String, String> actual = ModelFrames.run(planned.device, planned.executor, random, draws, frames);
                assertThat(planned.checker.hazards()).isEmpty();
                assertThat(planned.checker.undeclared())
                        .filteredOn(use -> !use.secondPass().isEmpty())
                        .isEmpty();
                assertThat(actual.keySet()).isEqualTo(wanted.keySet());
                assertThat(wanted.keySet().stream().filter(unit -> !Objects.equals(wanted.get(unit), actual.get(unit))))
                        .as("units with other contents than the serial model")
                        .isEmpty();
                assertThat(planned.device.gpu.validationMessages()).isEmpty();
            }
            return null;
        } catch (AssertionError | RuntimeException defect) {
            return defect;
        }
    }

    /** Returns the hazards of a frame of a case in one order. */
    List<Hazard> hazards(PlanCase random) {
        Planned planned = orders.get(0);
        int known = planned.checker.hazards().size();
        ModelFrames.run(planned.device, planned.executor, random, draws(random), 1);
        List<Hazard> all = planned.checker.hazards();
        return all.subList(known, all.size());
    }

    /**
     * Returns the hazards of the frames of a case around one that stops at a pass, but for what they read that it has not
     * written.
     */
    List<Hazard> hazardsAround(String stop, PlanCase random) {
        List<Hazard> found = new ArrayList<>();
        for (Planned planned : orders) {
            int known = planned.checker.hazards().size();
            if (ModelFrames.runAround(stop, planned.device, planned.executor, random, draws(random))) {
                stopped++;
            }
            List<Hazard> all = planned.checker.hazards();
            all.subList(known, all.size()).stream()
                    .filter(hazard -> hazard.kind() != Hazard.Kind.UNDEFINED_CONTENTS)
                    .forEach(found::add);
        }
        return found;
    }

    /** Returns how many frames have stopped at a pass. */
    int stopped() {
        return stopped;
    }

    /** Returns the waits and barriers so far that were not needed; nothing is executed any more. */
    List<UnneededSync> unneeded() {
        List<UnneededSync> all = new ArrayList<>();
        for (Planned planned : orders) {
            planned.checker.finish();
            all.addAll(planned.checker.unneeded());
        }
        return all;
    }

    /** Returns the case made smaller, as long as new devices find something wrong with it. */
    PlanCase smallest(PlanCase failing, int frames) {
        return runnable(CaseShrinking.smallest(
                failing, candidate -> again(runnable(candidate), frames) instanceof AssertionError));
    }

    /** Returns what is wrong with a case on new devices, or null. */
    @Nullable
    Throwable again(PlanCase random, int frames) {
        try (ModelRun run = new ModelRun(queues, 1)) {
            Throwable failure = null;
            for (int i = 0; i < 3 && failure == null; i++) {
                failure = run.failure(random, frames);
            }
            return failure;
        }
    }

    private PlanCase runnable(PlanCase candidate) {
        GraphModel serial =
                SerialOrder.of(candidate.model(), candidate.options().order());
        return candidate.of(RunnableModels.of(serial)).with(queues());
    }

    @Override
    public void close() {
        orders.forEach(Planned::close);
        serial.close();
    }
}
