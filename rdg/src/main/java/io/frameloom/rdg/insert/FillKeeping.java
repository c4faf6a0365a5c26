package io.frameloom.rdg.insert;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.rdg.declare.ConditionalBody;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.DeclaredGraph.Attachment;
import io.frameloom.rdg.declare.DeclaredGraph.Mode;
import io.frameloom.rdg.declare.DeclaredGraph.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Passes whose writes keep what a clobber has filled, but for targets that they clear. */
final class FillKeeping {
    private FillKeeping() {}

    /** Returns the pass with the uses at {@code positions} keeping what they find. */
    static DeclaredGraph.Pass of(DeclaredGraph.Pass pass, Set<Integer> positions) {
        List<Use> uses = new ArrayList<>(pass.uses());
        List<Attachment> attachments = new ArrayList<>(pass.attachments());
        for (int at : positions) {
            int attachment = attachment(attachments, at);
            boolean clears = attachment >= 0 && attachments.get(attachment).load() == LoadOp.CLEAR;
            if (!uses.get(at).needsContentsIfRun() && !clears) {
                uses.set(at, ConditionalBody.keeping(uses.get(at), Mode.WRITE));
                if (attachment >= 0) {
                    attachments.set(
                            attachment,
                            ConditionalBody.loading(List.of(attachments.get(attachment)))
                                    .get(0));
                }
            }
        }
        return pass.with(uses, attachments);
    }

    private static int attachment(List<Attachment> attachments, int use) {
        for (int i = 0; i < attachments.size(); i++) {
            if (attachments.get(i).use() == use) {
                return i;
            }
        }
        return -1;
    }
}
