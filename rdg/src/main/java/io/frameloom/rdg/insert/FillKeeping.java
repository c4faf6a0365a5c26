package io.frameloom.rdg.insert;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.rdg.declare.Attachment;
import io.frameloom.rdg.declare.ConditionalPass;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.Mode;
import java.util.Set;

/** Passes whose writes keep what a clobber has filled, but for targets that they clear. */
final class FillKeeping {
    private FillKeeping() {}

    /** Lets the uses of a pass at {@code positions} keep what they find. */
    static void keep(DeclaredGraph graph, int pass, Set<Integer> positions) {
        for (int position : positions) {
            int use = graph.firstUse(pass) + position;
            int at = attachment(graph, pass, position);
            boolean clears = at >= 0 && graph.load(pass, graph.attachment(at)) == LoadOp.CLEAR;
            if (!graph.needsContentsIfRun(use) && !clears) {
                ConditionalPass.keep(graph, use, Mode.WRITE);
                if (at >= 0) {
                    graph.setAttachment(at, graph.attachment(at).loading());
                }
            }
        }
    }

    private static int attachment(DeclaredGraph graph, int pass, int use) {
        for (int a = graph.firstAttachment(pass), end = graph.firstAttachment(pass + 1); a < end; a++) {
            Attachment attachment = graph.attachment(a);
            if (attachment.use() == use) {
                return a;
            }
        }
        return -1;
    }
}
