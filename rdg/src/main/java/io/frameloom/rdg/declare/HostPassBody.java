package io.frameloom.rdg.declare;

import io.frameloom.rdg.HostBody;
import io.frameloom.rdg.HostContext;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassContext;

/**
 * The body of a pass of the host, which {@code HostTask} runs. It is not recorded.
 *
 * @param work what the application gave
 */
public record HostPassBody(HostBody work) implements PassBody {
    public void run(HostContext context) throws Exception {
        work.run(context);
    }

    @Override
    public void record(PassContext context) {
        throw new IllegalStateException("a pass of the host records no commands");
    }
}
