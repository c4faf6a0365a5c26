package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import io.frameloom.taskgraph.deterministic.Schedule;
import io.frameloom.taskgraph.deterministic.ScheduledProgram;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.LongBinaryOperator;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What must not be null is refused by every public method, at once, with the name of the parameter. */
@Timeout(60)
@NullUnmarked
@SuppressWarnings("NullAway")
final class PublicArgumentsTest {
    private static final List<String> EXPORTED = List.of("", "deterministic", "jfr", "trace");

    /** Called by the library, never by an application. */
    private static final List<Class<?>> CALLBACKS =
            List.of(TaskObserver.class, RunObserver.class, StallListener.class, ThreadScheduler.class);

    private final Map<Class<?>, Object> values = new HashMap<>();
    private final Map<Class<?>, Object> receivers = new HashMap<>();
    private TaskGraph graph;
    private TaskBuilder task;
    private GraphEvent event;
    private CompiledGraph compiled;

    @BeforeEach
    void prepare() {
        graph = TaskGraph.builder().name("g").workers(1).build();
        task = graph.task("t", () -> {});
        event = graph.event("e");
        GraphBuilder builder = graph.graphBuilder("c");
        GraphNode node = builder.node("n", () -> {});
        compiled = builder.build();
        GraphEvent complete = graph.task("complete", () -> {}).dispatch();
        DeterministicScheduler[] scheduler = new DeterministicScheduler[1];
        DeterministicScheduler.explore(Exploration.oldestFirst(), given -> scheduler[0] = given);
        for (Object receiver : List.of(
                graph,
                task,
                event,
                builder,
                node,
                compiled,
                compiled.event(),
                scheduler[0],
                Exploration.oldestFirst(),
                TaskGraph.builder(),
                graph.call("r", () -> 1),
                graph.call("r", () -> 1).dispatch(),
                graph.whenAny("any", complete),
                graph.group("group"),
                graph.pipe("p"),
                graph.limiter("l", 1),
                InheritedValue.named("i"),
                new TraceRecorder())) {
            receivers.put(publicClass(receiver), receiver);
        }
        values(scheduler[0]);
    }

    private static Class<?> publicClass(Object receiver) {
        if (receiver instanceof GraphEvent) {
            return GraphEvent.class;
        }
        return receiver instanceof ResultEvent ? ResultEvent.class : receiver.getClass();
    }

    private void values(ThreadScheduler scheduler) {
        values.put(int.class, 1);
        values.put(long.class, 1L);
        values.put(boolean.class, true);
        values.put(String.class, "0");
        values.put(Object.class, "o");
        values.put(Duration.class, Duration.ofNanos(1));
        values.put(TaskBody.class, (TaskBody) () -> {});
        values.put(SlotBody.class, (SlotBody) slot -> {});
        values.put(RangeBody.class, (RangeBody) (from, to, slot) -> {});
        values.put(double.class, 1.0);
        values.put(RangeReducer.class, (RangeReducer<Object>) (from, to) -> "v");
        values.put(RangeReducer.ToLong.class, (RangeReducer.ToLong) (from, to) -> 1);
        values.put(RangeReducer.ToDouble.class, (RangeReducer.ToDouble) (from, to) -> 1);
        values.put(RangeReducer.Scanner.class, (RangeReducer.Scanner<Object>) (from, to, before, write) -> "v");
        values.put(RangeReducer.ScannerToLong.class, (RangeReducer.ScannerToLong) (from, to, before, write) -> 1);
        values.put(LongBinaryOperator.class, (LongBinaryOperator) Long::sum);
        values.put(DoubleBinaryOperator.class, (DoubleBinaryOperator) Double::sum);
        values.put(BinaryOperator.class, (BinaryOperator<Object>) (a, b) -> a);
        values.put(Callable.class, (Callable<Object>) () -> "r");
        values.put(Runnable.class, (Runnable) () -> {});
        values.put(LongPredicate.class, (LongPredicate) nanos -> true);
        values.put(Supplier.class, (Supplier<Object>) () -> "s");
        values.put(Consumer.class, (Consumer<Object>) value -> {});
        values.put(Function.class, (Function<Object, Object>) value -> value);
        values.put(GraphEvent.class, event);
        values.put(GraphEvent[].class, new GraphEvent[0]);
        values.put(GraphNode[].class, new GraphNode[0]);
        values.put(Object[].class, new Object[0]);
        values.put(Collection.class, List.of());
        values.put(List.class, List.of());
        values.put(Map.class, Map.of());
        values.put(CompletionStage.class, new CompletableFuture<>());
        values.put(ExecutionTarget.class, WorkerLevel.HIGH);
        values.put(NamedThread.class, NamedThread.RENDER);
        values.put(FailurePolicy.class, FailurePolicy.SKIP);
        values.put(TaskPriority.class, TaskPriority.HIGH);
        values.put(CancellationToken.class, new CancellationToken());
        values.put(TaskObserver.class, new TaskObserver() {});
        values.put(IdlePolicy.class, IdlePolicy.parking());
        values.put(FailureHandler.class, (FailureHandler) (name, failure) -> {});
        values.put(StallListener.class, (StallListener) (thread, waited, why) -> {});
        values.put(ThreadScheduler.class, scheduler);
        values.put(Throwable.class, new IOException("f"));
        values.put(Writer.class, new StringWriter());
        values.put(Exploration.class, Exploration.oldestFirst());
        values.put(ScheduledProgram.class, (ScheduledProgram) given -> {});
        values.put(Schedule.class, Schedule.parse("0"));
        values.put(RunFailedException.class, new RunFailedException("g", "n", 0, new IOException("f")));
    }

    @AfterEach
    void nothingIsHalfDone() {
        task.dispatch().await();
        assertThat(event.isComplete()).isFalse();
        event.trigger();
        event.await();
        compiled.execute();
        assertThat(compiled.nodeCount()).isEqualTo(1);
        graph.attach(NamedThread.GAME);
        assertThat(graph.processUntilIdle(NamedThread.GAME)).isZero();
        graph.detach(NamedThread.GAME);
        graph.close();
    }

    @Test
    void everyParameterThatMustNotBeNullIsRefusedByItsName() throws Exception {
        List<String> wrong = new ArrayList<>();
        int tried = 0;
        for (Class<?> type : publicTypes()) {
            for (Executable executable : calledByApplications(type)) {
                for (int i = 0; i < executable.getParameterCount(); i++) {
                    if (mayBeNull(executable, i)) {
                        continue;
                    }
                    tried++;
                    String parameter = executable.getParameters()[i].getName();
                    Throwable refusal = refusal(executable, i);
                    if (!isClear(refusal, parameter)) {
                        wrong.add(executable + " with null for " + parameter + ": " + refusal);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(tried).isGreaterThan(100);
    }

    private static boolean isClear(Throwable refusal, String parameter) {
        return refusal instanceof NullPointerException
                && refusal.getMessage() != null
                && refusal.getMessage().endsWith(": " + parameter + " must not be null")
                && !refusal.getMessage().contains("'null'");
    }

    private static List<Class<?>> publicTypes() throws Exception {
        URI classes = TaskGraph.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        List<Class<?>> types = new ArrayList<>();
        for (String part : EXPORTED) {
            Path folder = Path.of(classes).resolve("io/frameloom/taskgraph").resolve(part);
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.sorted().toList()) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(".class") && !name.startsWith("package-info")) {
                        String owner = "io.frameloom.taskgraph." + (part.isEmpty() ? "" : part + ".");
                        types.add(Class.forName(owner + name.substring(0, name.length() - 6)));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        types.removeIf(type -> !Modifier.isPublic(type.getModifiers()));
        return types;
    }

    private static List<Executable> calledByApplications(Class<?> type) {
        List<Executable> all = new ArrayList<>();
        if (!Throwable.class.isAssignableFrom(type)) {
            all.addAll(List.of(type.getConstructors()));
        }
        for (Method method : type.getDeclaredMethods()) {
            boolean isStatic = Modifier.isStatic(method.getModifiers());
            boolean implemented = type.isInterface() && !isStatic;
            boolean generated =
                    method.isSynthetic() || type.isEnum() || method.getName().equals("equals");
            if (Modifier.isPublic(method.getModifiers()) && !implemented && !generated && !isCallback(method)) {
                all.add(method);
            }
        }
        return all;
    }

    private static boolean isCallback(Method method) {
        return CALLBACKS.stream()
                .filter(callback -> callback.isAssignableFrom(method.getDeclaringClass()))
                .flatMap(callback -> Arrays.stream(callback.getMethods()))
                .anyMatch(other -> other.getName().equals(method.getName())
                        && Arrays.equals(other.getParameterTypes(), method.getParameterTypes()));
    }

    private static boolean mayBeNull(Executable executable, int parameter) {
        Class<?> type = executable.getParameterTypes()[parameter];
        return type.isPrimitive()
                || (!type.isArray()
                        && executable.getAnnotatedParameterTypes()[parameter].isAnnotationPresent(Nullable.class));
    }

    private Throwable refusal(Executable executable, int nullAt) throws ReflectiveOperationException {
        Class<?>[] types = executable.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = i == nullAt ? null : values.get(types[i]);
            assertThat(i == nullAt || arguments[i] != null)
                    .as("a value for %s of %s", types[i], executable)
                    .isTrue();
        }
        try {
            if (executable instanceof Constructor<?> constructor) {
                constructor.newInstance(arguments);
            } else {
                Object receiver = receivers.get(executable.getDeclaringClass());
                assertThat(receiver != null || Modifier.isStatic(executable.getModifiers()))
                        .as("an object for %s", executable)
                        .isTrue();
                ((Method) executable).invoke(receiver, arguments);
            }
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
    }

    @Test
    void entriesAreNamedByTheirPlace() {
        GraphNode node = graph.graphBuilder("b").node("n", () -> {});
        assertThatThrownBy(() -> node.after((GraphNode) null)).hasMessage("node 'n': other must not be null");
        assertThatThrownBy(() -> node.after(node, null)).hasMessage("node 'n': others[1] must not be null");
        assertThatThrownBy(() -> node.reads("r", null)).hasMessage("node 'n': resources[1] must not be null");
        assertThatThrownBy(() -> graph.asExecutor(WorkerLevel.HIGH).execute(null))
                .hasMessage("executor 'HIGH': command must not be null");
    }

    @Test
    void aWaitForAllLooksAtAllBeforeItWaits() {
        try (TaskGraph other = TaskGraph.builder().name("other").workers(1).build()) {
            // Waiting first would not end: nobody has triggered it.
            assertThatThrownBy(() -> graph.awaitAll(event, other.event("foreign")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("event 'foreign'")
                    .hasMessageContaining("'other'");
            GraphNode own = graph.graphBuilder("one").node("own", () -> {});
            GraphBuilder two = graph.graphBuilder("two");
            GraphNode first = two.node("first", () -> {});
            GraphNode second = two.node("second", () -> {});
            assertThatThrownBy(() -> second.after(first, own)).hasMessageContaining("'own'");
            // With the edge of the refused call this would be a cycle.
            first.after(second);
            assertThat(two.build().nodeCount()).isEqualTo(2);
        }
    }

    @Test
    void patienceAndBudgetsHaveARange() {
        Exploration exploration = Exploration.oldestFirst();
        for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
            assertThatThrownBy(() -> exploration.patience(none))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("patience")
                    .hasMessageContaining(none.toString());
        }
        Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
        Throwable failure =
                catchThrowable(() -> DeterministicScheduler.explore(exploration.patience(endless), scheduler -> {}));
        assertThat(failure).isNull();
        assertThat(IdlePolicy.spinning(endless).spinNanos(0, 0, 0, 0)).isEqualTo(Long.MAX_VALUE);
        assertThat(IdlePolicy.spinning(endless.negated()).spinNanos(0, 0, 0, 0)).isZero();
    }
}
