package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.compute.MessagePassing.Form;
import io.frameloom.gpu.compute.MessagePassing.Outcome;
import io.frameloom.gpu.compute.MessagePassing.Tally;
import java.util.List;

/**
 * Many small dispatches of the litmus test, as many of each form, on the driver as the environment of this process sets it
 * up.
 */
final class MessagePassingRepetitions {
    /** Begins the lines that tell how many looks found a writer at work. */
    static final String INFORMATIVE = "informative looks: ";

    private static final int GROUPS = 2;
    private static final int AT_A_TIME = 100;

    private MessagePassingRepetitions() {}

    public static void main(String[] arguments) {
        int repetitions = Integer.parseInt(arguments[0]);
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            List<Form> forms = MessagePassingIT.ordered(rig.device.capabilities());
            int rounds = (repetitions / AT_A_TIME + forms.size() - 1) / forms.size();
            for (Form form : forms) {
                int mark = rig.mark();
                Tally tally = new MessagePassing(rig, form, GROUPS, AT_A_TIME).run(rounds, each -> false);
                rig.release(mark);
                System.out.println(form + ": " + tally);
                for (Outcome never : new Outcome[] {Outcome.STALE_PAYLOAD, Outcome.OLDER, Outcome.TORN}) {
                    assertThat(tally.of(never))
                            .as("%s in %s of %s", never, tally, form)
                            .isZero();
                }
                System.out.println(INFORMATIVE + tally.of(Outcome.MIDWAY));
            }
            System.out.println("at least " + repetitions + " repetitions");
        }
    }
}
