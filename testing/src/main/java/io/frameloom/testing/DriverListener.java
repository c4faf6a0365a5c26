package io.frameloom.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes down which Vulkan driver each test ran on; found through {@code META-INF/services}.
 *
 * <p>A device that opens says so in the log of gpu-exec. The folder {@value #FOLDER_PROPERTY} gets a file of each JVM with
 * a line {@code driver<TAB>class<TAB>method} for each test that opened a device; without the property nothing is written.
 */
public final class DriverListener implements TestExecutionListener {
    static final String FOLDER_PROPERTY = "frameloom.testDrivers";
    private static final String OPENED = "opened ";

    private static final String DRIVER = ", driver ";

    private final Collection<String> lines = new ConcurrentSkipListSet<>();

    /** Held strongly: the log manager forgets loggers, and with them their levels and handlers. */
    private final Logger log = Logger.getLogger("io.frameloom.gpu");

    private final Openings openings = new Openings();
    private volatile String test = "";

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        if (System.getProperty(FOLDER_PROPERTY) != null) {
            log.setLevel(Level.FINE);
            log.addHandler(openings);
        }
    }

    @Override
    public void executionStarted(TestIdentifier started) {
        started.getSource().ifPresent(source -> {
            if (source instanceof MethodSource method) {
                test = method.getClassName() + "\t" + method.getMethodName();
            } else if (source instanceof ClassSource type) {
                test = type.getClassName() + "\t";
            }
        });
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        log.removeHandler(openings);
        String folder = System.getProperty(FOLDER_PROPERTY);
        if (folder == null || lines.isEmpty()) {
            return;
        }
        Path file = Path.of(folder, "drivers-" + ProcessHandle.current().pid() + ".txt");
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Openings extends Handler {
        @Override
        public void publish(LogRecord record) {
            String message = record.getMessage();
            if (message.startsWith(OPENED)) {
                lines.add(message.substring(message.lastIndexOf(DRIVER) + DRIVER.length()) + "\t" + test);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
