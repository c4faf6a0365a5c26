package io.frameloom.rdg.declare;

import io.frameloom.rdg.BufferHistory;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.RdgBlackboard;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.TextureHistory;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the line of the application that declares something. */
public final class DeclarationSite {
    private static final Set<String> INTERNAL = Set.of(
            DeclarationSite.class.getName(),
            RenderGraph.class.getName(),
            GraphDeclaration.class.getName(),
            PassBuilder.class.getName(),
            RdgBlackboard.class.getName(),
            PassDeclaration.class.getName(),
            TextureHistory.class.getName(),
            BufferHistory.class.getName(),
            FirstContents.class.getName(),
            ScopeStack.class.getName(),
            ParameterLayout.class.getName());
    /** Passes of this package are declared where its methods are called. */
    private static final String UTILITY = "io.frameloom.rdg.utility.";

    private DeclarationSite() {}

    static String ofCaller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> !isInternal(frame.getClassName()))
                        .findFirst()
                        .map(frame -> frame.toStackTraceElement().toString())
                        .orElse("unknown"));
    }

    /** Returns the end of a message that names a site, or nothing if it is not known. */
    public static String suffix(@Nullable String site) {
        return site == null ? "" : " (declared at " + site + ")";
    }

    private static boolean isInternal(String className) {
        return INTERNAL.contains(className) || className.startsWith(UTILITY);
    }
}
