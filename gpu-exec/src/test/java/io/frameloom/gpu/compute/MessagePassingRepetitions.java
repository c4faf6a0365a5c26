package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.compute.MessagePassing.Order;
import io.frameloom.gpu.compute.MessagePassing.Outcome;
import io.frameloom.gpu.compute.MessagePassing.Tally;

/** Many small dispatches of the litmus test on the driver as the environment of this process sets it up. */
final class MessagePassingRepetitions {
    private static final int GROUPS = 2;
    private static final int AT_A_TIME = 100;

    private MessagePassingRepetitions() {}

    public static void main(String[] arguments) {
        int repetitions = Integer.parseInt(arguments[0]);
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            Tally tally = new MessagePassing(rig, Order.RELEASE_ACQUIRE, GROUPS, AT_A_TIME)
                    .run(repetitions / AT_A_TIME, each -> false);
            System.out.println(tally);
            for (Outcome never : new Outcome[] {Outcome.STALE_PAYLOAD, Outcome.OLDER, Outcome.TORN}) {
                assertThat(tally.of(never)).as("%s in %s", never, tally).isZero();
            }
        }
        System.out.println(repetitions + " repetitions");
    }
}
