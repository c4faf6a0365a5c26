package io.frameloom.stress.frame;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.gpu.pipeline.BindlessTable.Kind;
import io.frameloom.gpu.record.Closings;
import io.frameloom.gpu.record.Perishable;
import io.frameloom.gpu.record.TableSlots;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A resource that is closed while it is put into a bindless table is refused, or tables are searched (race 43). Both
 * actors walk over the same resources, since a single one hardly ever meets a close within two instructions.
 */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "each was refused, or its table is searched")
@Outcome(expect = FORBIDDEN, desc = "a closed resource is in the table, and nobody looks for it")
@State
public class SlotAgainstCloseStress {
    private static final int THINGS = 32;

    private final TableSlots slots = new TableSlots("table", Kind.STORAGE_BUFFER, THINGS, false);
    private final Thing[] things = new Thing[THINGS];
    private final boolean[] taken = new boolean[THINGS];

    /** Each resource has a count of its own: one that is searched in vain hides no other. */
    private static final class Thing extends Perishable {
        final Closings closings = new Closings();

        Thing(Object device) {
            super(device, "thing");
        }

        @Override
        public String describe() {
            return name();
        }

        @Override
        public void close() {
            end();
            closings.add(this);
        }
    }

    /** Makes the resources. */
    public SlotAgainstCloseStress() {
        for (int i = 0; i < THINGS; i++) {
            things[i] = new Thing(this);
        }
    }

    /** Puts them in. */
    @Actor
    public void put() {
        for (int i = 0; i < THINGS; i++) {
            try {
                slots.take(things[i]);
                taken[i] = true;
            } catch (IllegalStateException refused) {
                // Closed before.
            }
        }
    }

    /** Closes them. */
    @Actor
    public void close() {
        for (Thing thing : things) {
            thing.close();
        }
    }

    /** Counts those that nobody looks for. */
    @Arbiter
    public void look(I_Result result) {
        for (int i = 0; i < THINGS; i++) {
            if (taken[i] && things[i].closings.inTables() == 0) {
                result.r1++;
            }
        }
    }
}
