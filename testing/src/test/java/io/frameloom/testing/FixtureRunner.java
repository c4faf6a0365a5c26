package io.frameloom.testing;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs one fixture class in a JVM of its own; exit status 0 if all its tests passed, 1 if one failed. */
final class FixtureRunner {

    private FixtureRunner() {}

    public static void main(String[] args) {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(args[0]))
                                .build(),
                        summary);
        System.exit(summary.getSummary().getTotalFailureCount() == 0 ? 0 : 1);
    }
}
