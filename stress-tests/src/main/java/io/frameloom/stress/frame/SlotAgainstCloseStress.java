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
import org.openjdk.jcstress.infra.results.II_Result;

/** A resource that is closed while it is put into a bindless table is refused, or tables are searched (race 43). */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "refused")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "refused, and searched in vain")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "in the table, which is searched")
@Outcome(expect = FORBIDDEN, desc = "a closed resource is in the table, and nobody looks for it")
@State
public class SlotAgainstCloseStress {
    private final Closings closings = new Closings();
    private final TableSlots slots = new TableSlots("table", Kind.STORAGE_BUFFER, 1, false);
    private final Thing thing = new Thing();

    private final class Thing extends Perishable {
        Thing() {
            super(closings, "thing");
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

    /** Puts it in. */
    @Actor
    public void put(II_Result result) {
        try {
            slots.take(thing);
            result.r1 = 1;
        } catch (IllegalStateException refused) {
            result.r1 = 0;
        }
    }

    /** Closes it. */
    @Actor
    public void close() {
        thing.close();
    }

    /** Looks whether tables are searched. */
    @Arbiter
    public void look(II_Result result) {
        result.r2 = (int) closings.inTables();
    }
}
