package io.frameloom.rdg.compile;

import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The declared passes, read once: how they were declared, and nothing that is bound to them for one frame, so that a plan may
 * go on knowing it. The uses of all passes lie behind each other. Immutable; any thread.
 */
final class KnownPasses {
    final String[] name;
    final PassKind[] kind;
    final Set<PassFlag>[] flags;
    final List<DeclaredGraph.Attachment>[] attachments;
    /** Passes that each must come after; of no pass unless one has any. */
    private final @Nullable List<Integer>[] after;
    /** Index of the innermost scope around each pass, or -1. */
    final int[] scope;
    /** Uses of all passes. */
    final DeclaredGraph.Use[] use;
    /** First use of each pass, and the number of uses at the end. */
    final int[] useBase;

    @SuppressWarnings({"unchecked", "rawtypes"})
    KnownPasses(DeclaredGraph graph) {
        List<DeclaredGraph.Pass> passes = graph.passes();
        int count = passes.size();
        name = new String[count];
        kind = new PassKind[count];
        flags = new Set[count];
        attachments = new List[count];
        scope = new int[count];
        useBase = new int[count + 1];
        int uses = 0;
        @Nullable List<Integer>[] behind = new List[0];
        for (int p = 0; p < count; p++) {
            DeclaredGraph.Pass pass = passes.get(p);
            name[p] = pass.name();
            kind[p] = pass.kind();
            flags[p] = pass.flags();
            attachments[p] = pass.attachments();
            scope[p] = pass.scope();
            if (!pass.after().isEmpty()) {
                behind = behind.length == 0 ? new List[count] : behind;
                behind[p] = pass.after();
            }
            useBase[p] = uses;
            uses += pass.uses().size();
        }
        after = behind;
        useBase[count] = uses;
        use = new DeclaredGraph.Use[uses];
        for (int p = 0; p < count; p++) {
            List<DeclaredGraph.Use> own = passes.get(p).uses();
            int begin = useBase[p];
            for (int u = useBase[p + 1] - begin - 1; u >= 0; u--) {
                use[begin + u] = own.get(u);
            }
        }
    }

    int count() {
        return kind.length;
    }

    /** Returns whether the host runs any of the passes. */
    boolean anyOnHost() {
        for (PassKind each : kind) {
            if (each == PassKind.HOST) {
                return true;
            }
        }
        return false;
    }

    /** Returns the passes that a pass must come after whatever it uses. */
    List<Integer> after(int pass) {
        List<Integer> known = after.length == 0 ? null : after[pass];
        return known == null ? List.of() : known;
    }

    /** Returns whether a pass has a flag. */
    boolean has(int pass, PassFlag flag) {
        return !flags[pass].isEmpty() && flags[pass].contains(flag);
    }

    /** Returns a use of a pass by its position among them. */
    DeclaredGraph.Use use(int pass, int index) {
        return use[useBase[pass] + index];
    }
}
