package io.frameloom.stress.gpu.queues;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.taskgraph.TaskGraph;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Everything that is checked of a device with many queues, one after the other, with what came of each. One thread. */
public final class QueueChecks {
    private static final int HOPS = 64;

    private final PrintStream out;
    private final int rounds;
    private final SplittableRandom random;
    private final List<String> problems = new ArrayList<>();

    /**
     * Checks to come.
     *
     * @param rounds how often the ring goes round; the storm submits ten times as much to each queue
     */
    public QueueChecks(PrintStream out, int rounds, long seed) {
        this.out = out;
        this.rounds = rounds;
        this.random = new SplittableRandom(seed);
    }

    /** Opens a device with so many queues, checks it, and returns what was wrong. */
    public List<String> run(DeviceSelector selector, QueueCounts counts, boolean validation) {
        HazardChecker checker = new HazardChecker();
        try (TaskGraph tasks = TaskGraph.builder().name("gpu-queues").workers(2).build()) {
            GpuDevice device = GpuDevices.open(
                    selector, new DeviceOptions(tasks, "queues", validation, checker).withQueues(counts));
            try (device) {
                out.printf(
                        Locale.ROOT,
                        "gpu queues: %s, %s%n",
                        device.capabilities().name(),
                        kinds(device));
                check("names", names(device));
                ringAndStorm("", device);
                if (device instanceof VulkanDevice vulkan) {
                    handOver(vulkan);
                    adoption(vulkan, tasks);
                }
                device.queues()
                        .forEach(queue -> out.printf(
                                Locale.ROOT,
                                "  %-12s family %d, timeline at %d%n",
                                queue.name(),
                                queue.family(),
                                queue.timeline().submitted()));
            }
            check("hazards in " + checker.submissionsChecked() + " submissions", hazards(checker));
            check(
                    "validation",
                    device.validationMessages().stream().map(Object::toString).toList());
        }
        return List.copyOf(problems);
    }

    private void ringAndStorm(String where, GpuDevice device) {
        try (QueueRing ring = new QueueRing(device)) {
            check(where + "ring of " + rounds + " rounds", ring.run(rounds));
        }
        int each = 10 * rounds;
        check(where + "storm of " + each + " submissions a queue", QueueStorm.run(device, each, random.nextLong()));
    }

    private void handOver(VulkanDevice device) {
        if (!FamilyHandOver.isPossible(device.queues())) {
            out.println("hand-over: all queues are of one family");
            return;
        }
        try (FamilyHandOver handOver = new FamilyHandOver(device, random.split())) {
            List<String> wrong = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                wrong.addAll(handOver.run(HOPS));
            }
            check("hand-over with " + handOver.transfers() + " transfers between families", wrong);
        }
    }

    private void adoption(VulkanDevice engine, TaskGraph tasks) {
        HazardChecker checker = new HazardChecker();
        try (VulkanDevice adopted = SharedDevice.adopt(engine, new DeviceOptions(tasks, "adopted", false, checker))) {
            List<String> expected = engine.queues().stream().map(GpuQueue::name).toList();
            List<String> found = adopted.queues().stream().map(GpuQueue::name).toList();
            check("adoption", found.equals(expected) ? List.of() : List.of("queues are " + found));
            ringAndStorm("adopted ", adopted);
        }
        check("hazards of the adopted device", hazards(checker));
        ringAndStorm("afterwards ", engine);
    }

    private static List<String> names(GpuDevice device) {
        List<String> wrong = new ArrayList<>();
        for (QueueKind kind : QueueKind.values()) {
            List<GpuQueue> some = device.queues(kind);
            for (int i = 0; i < some.size(); i++) {
                if (!some.get(i).name().equals(kind.queueName(i + 1))) {
                    wrong.add("queue " + (i + 1) + " of kind " + kind + " is called '"
                            + some.get(i).name() + "'");
                }
            }
        }
        return wrong;
    }

    private static String kinds(GpuDevice device) {
        List<String> kinds = new ArrayList<>();
        for (QueueKind kind : QueueKind.values()) {
            kinds.add(device.queues(kind).size() + " " + kind.name().toLowerCase(Locale.ROOT));
        }
        return String.join(", ", kinds) + " queues";
    }

    private static List<String> hazards(HazardChecker checker) {
        return checker.hazards().stream().map(Hazard::explanation).collect(Collectors.toList());
    }

    private void check(String what, List<String> wrong) {
        out.println(what + ": " + (wrong.isEmpty() ? "right" : wrong.size() + " wrong, " + wrong.get(0)));
        wrong.forEach(each -> problems.add(what + ": " + each));
    }
}
