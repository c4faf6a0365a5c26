package io.frameloom.rdg;

import java.util.Set;

/** Finds the line of the application that declares something. */
final class DeclarationSite {
    private static final Set<String> INTERNAL =
            Set.of(DeclarationSite.class.getName(), RenderGraph.class.getName(), PassBuilder.class.getName());

    private DeclarationSite() {}

    static String ofCaller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> !INTERNAL.contains(frame.getClassName()))
                        .findFirst()
                        .map(frame -> frame.toStackTraceElement().toString())
                        .orElse("unknown"));
    }
}
