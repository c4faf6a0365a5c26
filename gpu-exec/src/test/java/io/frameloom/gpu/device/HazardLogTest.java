package io.frameloom.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.check.Records;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.taskgraph.TaskGraph;
import java.lang.reflect.Proxy;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is written of hazards, and what the application's observer sees beside it. */
@Timeout(60)
class HazardLogTest {
    private final Written written = new Written();
    private final List<String> seen = new ArrayList<>();
    private final SubmissionObserver application = new SubmissionObserver() {
        @Override
        public void submitted(SubmissionRecord record) {
            if (record.label().equals("refused")) {
                throw new IllegalStateException("not this one");
            }
            seen.add(record.label() + " after " + written.lines.size());
        }

        @Override
        public void hostWaited(TimelinePoint point) {
            seen.add("host " + point.value());
        }

        @Override
        public void closed(Resource resource) {
            seen.add("closed " + resource.name());
        }

        @Override
        public void takenBack(DeviceEventSet events) {
            seen.add("taken back " + events.name());
        }
    };

    private TaskGraph tasks;
    private GpuDevice device;
    private Buffer particles;
    private long value;

    /** Remembers what it is told, as a log would print it. */
    private static final class Written implements System.Logger {
        final List<String> lines = new ArrayList<>();

        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
            lines.add(level + " " + message);
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... parameters) {
            lines.add(level + " " + MessageFormat.format(format, parameters));
        }
    }

    @BeforeEach
    void open() {
        tasks = TaskGraph.builder().name("log").workers(1).build();
        device = VirtualDevice.open(new VirtualGpuOptions(1, 1), new DeviceOptions(tasks, "log", false, null));
        particles = device.createBuffer("particles {0}", BufferDescription.device(64, BufferUsage.STORAGE));
    }

    @AfterEach
    void close() {
        particles.close();
        device.close();
        tasks.close();
    }

    private static ResourceUse use(Buffer buffer, Access access) {
        return new ResourceUse.OfBuffer(buffer, 0, buffer.description().bytes(), access, !access.reads());
    }

    private SubmissionRecord record(String label, String pass, Access access) {
        return Records.submission(
                device.queues().get(0),
                label,
                List.of(),
                ++value,
                List.of(new SubmissionRecord.Pass(pass, List.of(use(particles, access)))));
    }

    @Test
    void writesEachHazardOnceWhenItIsFound() {
        HazardLog log = new HazardLog(written, "it's a {1} game", null);
        log.submitted(record("first", "simulate", Access.STORAGE_WRITE_COMPUTE));
        assertThat(written.lines).isEmpty();
        log.submitted(record("second", "draw", Access.STORAGE_READ_VERTEX));
        assertThat(written.lines)
                .singleElement()
                .asString()
                .startsWith("ERROR device of 'it's a {1} game': READ_AFTER_WRITE: ")
                .contains("particles {0}", "simulate", "draw");
        log.submitted(record("third", "draw", Access.STORAGE_READ_VERTEX));
        assertThat(written.lines).hasSize(1);
        log.submitted(record("fourth", "erase", Access.COPY_DST));
        assertThat(written.lines).hasSizeGreaterThan(1).doesNotHaveDuplicates();
        assertThat(written.lines.subList(1, written.lines.size()))
                .allSatisfy(line -> assertThat(line).contains("erase"));
    }

    @Test
    void findingsOfTheApplicationsCheckerAreWritten() {
        HazardChecker own = new HazardChecker();
        HazardLog log = new HazardLog(written, "game", own);
        log.submitted(record("first", "simulate", Access.STORAGE_WRITE_COMPUTE));
        log.submitted(record("second", "draw", Access.STORAGE_READ_VERTEX));
        assertThat(written.lines).hasSize(1);
        assertThat(own.hazards()).hasSize(1);
        assertThat(own.passesChecked()).isEqualTo(2);
    }

    @Test
    void buffersOfOneNameAreOneLine() {
        HazardLog log = new HazardLog(written, "game", null);
        Buffer first = particles;
        try (Buffer second = device.createBuffer(first.name(), first.description())) {
            for (Buffer slot : List.of(first, second)) {
                particles = slot;
                log.submitted(record("simulate", "simulate", Access.STORAGE_WRITE_COMPUTE));
                log.submitted(record("draw", "draw", Access.STORAGE_READ_VERTEX));
            }
            assertThat(written.lines).hasSize(1);
        } finally {
            particles = first;
        }
    }

    @Test
    void whatACheckerHasFoundBeforeIsNotWritten() {
        HazardChecker own = new HazardChecker();
        own.submitted(record("first", "simulate", Access.STORAGE_WRITE_COMPUTE));
        own.submitted(record("second", "draw", Access.STORAGE_READ_VERTEX));
        HazardLog log = new HazardLog(written, "game", own);
        log.submitted(record("third", "draw", Access.STORAGE_READ_VERTEX));
        assertThat(written.lines).isEmpty();
        log.submitted(record("fourth", "erase", Access.COPY_DST));
        assertThat(written.lines)
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains("erase"));
    }

    /** A buffer of an engine, which destroys it when it has closed the import. */
    private Buffer imported(AtomicBoolean closed) {
        return (Buffer) Proxy.newProxyInstance(
                Buffer.class.getClassLoader(),
                new Class<?>[] {Buffer.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "imported" -> TextureLayout.GENERAL;
                    case "isClosed" -> closed.get();
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> method.invoke(particles, arguments);
                });
    }

    @Test
    void whatIsClosedTooEarlyIsWrittenWhenItIsClosed() {
        HazardLog log = new HazardLog(written, "game", application);
        AtomicBoolean closed = new AtomicBoolean();
        Buffer lent = imported(closed);
        log.submitted(Records.submission(
                device.queues().get(0),
                "frame",
                List.of(),
                ++value,
                List.of(new SubmissionRecord.Pass("simulate", List.of(use(lent, Access.STORAGE_WRITE_COMPUTE))))));
        assertThat(written.lines).isEmpty();
        closed.set(true);
        log.closed(lent);
        assertThat(written.lines).singleElement().asString().contains("particles {0}", "simulate", "clos");
        assertThat(seen).endsWith("closed particles {0}");
    }

    @Test
    void theApplicationsObserverIsToldOfEventsThatAreTakenBack() {
        HazardLog log = new HazardLog(written, "game", application);
        try (DeviceEventSet events = device.createDeviceEventSet("events", 1)) {
            log.takenBack(events);
        }
        assertThat(seen).containsExactly("taken back events");
    }

    @Test
    void whatTheHostHasWaitedForIsNoHazard() {
        HazardLog log = new HazardLog(written, "game", application);
        SubmissionRecord first = record("first", "simulate", Access.STORAGE_WRITE_COMPUTE);
        log.submitted(first);
        log.hostWaited(new TimelinePoint(first.queue(), first.value()));
        log.submitted(record("second", "draw", Access.STORAGE_READ_VERTEX));
        assertThat(written.lines).isEmpty();
        assertThat(seen).containsExactly("first after 0", "host 1", "second after 0");
    }

    @Test
    void whatTheApplicationsObserverFailsAtIsJudgedAllTheSame() {
        HazardLog log = new HazardLog(written, "game", application);
        SubmissionRecord refused = record("refused", "simulate", Access.STORAGE_WRITE_COMPUTE);
        assertThatThrownBy(() -> log.submitted(refused)).hasMessage("not this one");
        log.hostWaited(new TimelinePoint(refused.queue(), refused.value()));
        log.submitted(record("second", "draw", Access.STORAGE_READ_VERTEX));
        assertThat(written.lines)
                .as("what the observer failed at was executed, and waited for")
                .isEmpty();
        assertThatThrownBy(() -> log.submitted(record("refused", "erase", Access.COPY_DST)))
                .hasMessage("not this one");
        assertThat(written.lines)
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains("erase"));
        assertThat(seen).containsExactly("host 1", "second after 0");
    }
}
