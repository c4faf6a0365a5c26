package io.frameloom.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a module's jar tells GraalVM's native-image ({@code reachability-metadata.json}), held against what its sources
 * look up by name: fields for handles, classes, services, resources. A test asks for {@link #complaints}. One thread.
 */
public final class NativeMetadata {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final Path RESOURCES = Path.of("src", "main", "resources");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNode CONSTRUCTOR =
            JSON.createObjectNode().put("name", "<init>").set("parameterTypes", JSON.createArrayNode());

    private static final Pattern HANDLE =
            Pattern.compile("Fields\\.handle\\(\\s*MethodHandles\\.lookup\\(\\),\\s*(\\w+)\\.class,\\s*\"(\\w+)\"");

    private static final Pattern LITERAL = Pattern.compile("\"([\\w.$]+)\"");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import ([\\w.]+);");

    /** Ways to things by name that none of the rules here reads. */
    private static final Pattern UNREAD =
            Pattern.compile("getDeclared(Field|Method|Constructor)|newProxyInstance|setAccessible"
                    + "|unreflect|find(Virtual|Static|Special|Constructor|Getter|Setter|VarHandle|StaticVarHandle)\\("
                    + "|newUpdater|getRecordComponents|ResourceBundle|ObjectInputStream|loadClass\\(");

    private final Map<String, Set<String>> fields = new TreeMap<>();
    private final Set<String> constructed = new TreeSet<>();
    private final Set<String> globs = new TreeSet<>();
    private final List<String> complaints = new ArrayList<>();

    private NativeMetadata() {}

    /**
     * Checks the module that a test runs in: its folder is the working directory.
     *
     * @param module its name in the folder of the metadata, such as {@code frameloom-rdg}
     * @param explained source files that look up what only an application can name
     * @return what is missing, unneeded or not there, a line each
     */
    public static List<String> complaints(String module, Set<String> explained) throws IOException {
        NativeMetadata metadata = new NativeMetadata();
        metadata.read(RESOURCES.resolve(
                Path.of("META-INF", "native-image", "io.frameloom", module, "reachability-metadata.json")));
        metadata.checkSources(explained);
        metadata.checkResources();
        return metadata.complaints;
    }

    private void read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        JsonNode root = JSON.readTree(file.toFile());
        onlyHas(root, "the file", Set.of("reflection", "resources"));
        root.path("reflection").forEach(this::readType);
        for (JsonNode resource : root.path("resources")) {
            onlyHas(resource, resource.toString(), Set.of("glob"));
            globs.add(resource.path("glob").asText());
        }
    }

    /** What is not read would pass for checked. */
    private void onlyHas(JsonNode object, String where, Set<String> known) {
        object.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                complaints.add("not read: '" + name + "' of " + where);
            }
        });
    }

    private void readType(JsonNode entry) {
        String name = entry.path("type").asText();
        onlyHas(entry, name, Set.of("type", "fields", "methods"));
        Set<String> named = fields.computeIfAbsent(name, absent -> new TreeSet<>());
        Class<?> type = find(name);
        if (type == null) {
            complaints.add("no such class: " + name);
            return;
        }
        for (JsonNode field : entry.path("fields")) {
            String fieldName = field.path("name").asText();
            named.add(fieldName);
            if (Stream.of(type.getDeclaredFields())
                    .noneMatch(each -> each.getName().equals(fieldName))) {
                complaints.add("no such field: " + name + "." + fieldName);
            }
        }
        for (JsonNode method : entry.path("methods")) {
            if (!method.equals(CONSTRUCTOR)) {
                complaints.add("not read: " + method + " of " + name);
                continue;
            }
            constructed.add(name);
            if (Stream.of(type.getDeclaredConstructors()).noneMatch(each -> each.getParameterCount() == 0)) {
                complaints.add("no constructor without parameters: " + name);
            }
        }
    }

    private void checkSources(Set<String> explained) throws IOException {
        Set<String> used = new TreeSet<>();
        Set<String> unused = new TreeSet<>(explained);
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                    .sorted()
                    .toList()) {
                String text = Files.readString(file);
                checkHandles(file, text, used);
                checkNames(file, text, used);
                String name = String.valueOf(file.getFileName());
                if (UNREAD.matcher(text).find() && !unused.remove(name) && !explained.contains(name)) {
                    complaints.add("looks up what this test does not understand: " + file);
                }
            }
        }
        unused.forEach(name -> complaints.add("looks up nothing any more: " + name));
        fields.forEach((type, named) -> {
            named.stream()
                    .filter(field -> !used.contains(type + "." + field))
                    .forEach(field -> complaints.add("nothing looks up " + type + "." + field));
            if (named.isEmpty() && !constructed.contains(type) && !used.contains(type)) {
                complaints.add("nothing looks up " + type);
            }
        });
    }

    private void checkHandles(Path file, String text, Set<String> used) {
        long found = HANDLE.matcher(text)
                .results()
                .peek(handle -> {
                    String type = named(file, text, handle.group(1));
                    used.add(type + "." + handle.group(2));
                    if (!fields.getOrDefault(type, Set.of()).contains(handle.group(2))) {
                        complaints.add("missing: field " + type + "." + handle.group(2));
                    }
                })
                .count();
        if (found != text.split("Fields\\.handle\\(", -1).length - 1) {
            complaints.add("a handle that this test does not understand: " + file);
        }
    }

    /** The class that a source means by a simple name. */
    private String named(Path file, String text, String simple) {
        String own = SOURCES.relativize(file).toString().replace(".java", "").replaceAll("[/\\\\]", ".");
        String beside = own.substring(0, own.lastIndexOf('.') + 1) + simple;
        return Stream.concat(
                        Stream.of(own + "$" + simple, beside),
                        IMPORT.matcher(text)
                                .results()
                                .map(each -> each.group(1))
                                .filter(each -> each.endsWith("." + simple)))
                .filter(each -> find(each) != null)
                .findFirst()
                .orElse(beside);
    }

    /** Names are a literal that ends with a dot, and literals behind it. */
    private void checkNames(Path file, String text, Set<String> used) {
        if (!text.contains("Class.forName(")) {
            return;
        }
        List<String> literals =
                LITERAL.matcher(text).results().map(each -> each.group(1)).toList();
        List<String> types = literals.stream()
                .filter(prefix -> prefix.endsWith("."))
                .flatMap(prefix ->
                        literals.stream().filter(each -> !each.endsWith(".")).map(prefix::concat))
                .filter(each -> find(each) != null)
                .toList();
        if (types.isEmpty()) {
            complaints.add("names of classes that this test does not understand: " + file);
        }
        for (String type : types) {
            used.add(type);
            if (!fields.containsKey(type)) {
                complaints.add("missing: class " + type);
            }
        }
    }

    private void checkResources() throws IOException {
        Set<String> unmatched = new TreeSet<>(globs);
        // Maven makes it with the jar.
        unmatched.removeIf(glob -> glob.startsWith("META-INF/maven/"));
        for (Path resource : resources()) {
            List<String> matching =
                    globs.stream().filter(glob -> matches(glob, resource)).toList();
            if (matching.isEmpty()) {
                complaints.add("missing: resource " + resource);
            }
            matching.forEach(unmatched::remove);
            if (resource.startsWith(Path.of("META-INF", "services"))) {
                for (String provider : Files.readAllLines(RESOURCES.resolve(resource))) {
                    if (!constructed.contains(provider.strip())) {
                        complaints.add("missing: constructor of " + provider);
                    }
                }
            }
        }
        unmatched.forEach(glob -> complaints.add("no such resource: " + glob));
    }

    private static List<Path> resources() throws IOException {
        if (!Files.isDirectory(RESOURCES)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(RESOURCES)) {
            return files.filter(Files::isRegularFile)
                    .map(RESOURCES::relativize)
                    .filter(file -> !file.startsWith(Path.of("META-INF", "native-image")))
                    .sorted()
                    .toList();
        }
    }

    private static boolean matches(String glob, Path resource) {
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
        return matcher.matches(resource);
    }

    private static @Nullable Class<?> find(String name) {
        try {
            return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }
}
