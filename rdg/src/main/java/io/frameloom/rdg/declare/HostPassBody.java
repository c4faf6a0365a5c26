package io.frameloom.rdg.declare;

import io.frameloom.rdg.HostBody;
import io.frameloom.rdg.HostContext;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassContext;

/** The body of a pass of the host, which {@code HostTask} runs. It is not recorded. */
public final class HostPassBody implements PassBody {
    private final HostBody body;

    /** A body for a pass. */
    public HostPassBody(HostBody body) {
        this.body = body;
    }

    public void run(HostContext context) throws Exception {
        body.run(context);
    }

    @Override
    public void record(PassContext context) {
        throw new IllegalStateException("a pass of the host records no commands");
    }
}
