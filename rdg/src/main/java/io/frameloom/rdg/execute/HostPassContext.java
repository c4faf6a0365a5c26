package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.HostContext;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgBufferView;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.compile.plan.PlanUses;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** What the body of a pass of the host sees; answers until {@link #end}, on the thread that made it. */
final class HostPassContext implements HostContext {
    private final Thread thread = Thread.currentThread();
    private final Frame frame;
    private final FramePlan.PassPlan pass;
    private final PlanUses uses;
    private final BitSet taken = new BitSet();
    private boolean over;

    HostPassContext(Frame frame, FramePlan.PassPlan pass) {
        this.frame = frame;
        this.pass = pass;
        this.uses = frame.plan().structure().arrays().uses();
    }

    /** Warns of the declared buffers that the body has not taken, if the plan asks for that. */
    void reportUntaken() {
        if (frame.plan().options().diagnostics().validation()) {
            RecordingPassContext.reportUntaken(frame, pass, taken);
        }
    }

    void end() {
        over = true;
    }

    @Override
    public ByteBuffer read(RdgBuffer buffer) {
        return readOnly(declared(buffer, Access.HOST_READ));
    }

    @Override
    public ByteBuffer read(RdgBufferView view) {
        return readOnly(within(view, Access.HOST_READ));
    }

    @Override
    public ByteBuffer write(RdgBuffer buffer) {
        return declared(buffer, Access.HOST_WRITE);
    }

    @Override
    public ByteBuffer write(RdgBufferView view) {
        return within(view, Access.HOST_WRITE);
    }

    private static ByteBuffer readOnly(ByteBuffer bytes) {
        return bytes.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    private ByteBuffer declared(RdgBuffer buffer, Access access) {
        requireInside();
        int found = -1;
        for (int use = uses.first(pass.index()); use < uses.end(pass.index()); use++) {
            if (uses.resource(use) == buffer.index() && uses.access(use) == access) {
                if (found >= 0 && (uses.offset(found) != uses.offset(use) || uses.bytes(found) != uses.bytes(use))) {
                    throw new RdgException(
                            subject(buffer, access) + ", of which it declares several ranges; name one by" + " a view");
                }
                found = use;
            }
        }
        if (found < 0) {
            throw undeclared(buffer, access);
        }
        return memory(buffer, access, uses.offset(found), uses.bytes(found));
    }

    private ByteBuffer within(RdgBufferView view, Access access) {
        requireInside();
        RdgBuffer buffer = view.buffer();
        boolean any = false;
        for (int use = uses.first(pass.index()); use < uses.end(pass.index()); use++) {
            if (uses.resource(use) == buffer.index() && uses.access(use) == access) {
                any = true;
                long offset = uses.offset(use);
                if (view.offset() >= offset && view.offset() + view.bytes() <= offset + uses.bytes(use)) {
                    return memory(buffer, access, view.offset(), view.bytes());
                }
            }
        }
        throw any
                ? new RdgException(subject(buffer, access) + " at bytes " + view.offset() + "+" + view.bytes()
                        + ", which no range that it declares contains; declare that range")
                : undeclared(buffer, access);
    }

    private ByteBuffer memory(RdgBuffer buffer, Access access, long offset, long bytes) {
        if (!(resource(buffer) instanceof Buffer found)) {
            throw new RdgException(subject(buffer, access) + " of another render graph; take the one declared in the"
                    + " graph of the pass");
        }
        if (bytes > Integer.MAX_VALUE) {
            throw new RdgException(subject(buffer, access) + ", " + bytes + " bytes at once; name a view of at most "
                    + Integer.MAX_VALUE);
        }
        return found.mapped(offset, (int) bytes).order(ByteOrder.nativeOrder());
    }

    private @Nullable Object resource(RdgBuffer buffer) {
        taken.set(buffer.index());
        boolean own = frame.plan().resources().get(buffer.index()).name().equals(buffer.name());
        return own ? frame.resource(buffer.index()) : null;
    }

    private RdgException undeclared(RdgBuffer buffer, Access access) {
        return new RdgException(subject(buffer, access) + ", which it has not declared; add "
                + (access == Access.HOST_READ ? "reads" : "writes or overwrites") + " of '" + buffer.name() + "' as "
                + access + " to the pass");
    }

    private String subject(RdgBuffer buffer, Access access) {
        return "pass '" + pass.name() + "'" + frame.plan().siteOf(pass)
                + (access == Access.HOST_READ ? " reads" : " writes") + " buffer '" + buffer.name() + "'";
    }

    private void requireInside() {
        if (over || thread != Thread.currentThread()) {
            throw new IllegalStateException(
                    "a host context is valid only inside its host body and on the thread that runs it; take what you"
                            + " need there");
        }
    }
}
