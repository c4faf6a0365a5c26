package io.frameloom.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A program in README.md, docs or the tutorial: taken out of its page, compiled and run. */
final class DocumentedProgram {
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private DocumentedProgram() {}

    /** Returns the text of the program whose public class has this name. */
    static String source(String program) throws IOException {
        List<Path> documents = new ArrayList<>(List.of(Path.of("..", "README.md")));
        try (Stream<Path> more = Files.walk(Path.of("..", "docs"))) {
            more.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
        }
        for (Path document : documents) {
            Matcher block = JAVA_BLOCK.matcher(Files.readString(document));
            while (block.find()) {
                if (block.group(1).contains("public class " + program + " ")) {
                    return block.group(1);
                }
            }
        }
        throw new AssertionError("neither README.md nor docs has a program " + program);
    }

    /** Writes the program into a folder, under the name of its class. */
    static Path write(String program, Path dir) throws IOException {
        return Files.writeString(dir.resolve(program + ".java"), source(program));
    }

    /** Compiles the program into a folder, and fails on any word of the compiler. */
    static void compile(String program, Path dir, String classPath) throws IOException {
        Path source = write(program, dir);
        StringWriter words = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-proc:none", "-cp", classPath, "-d", dir.toString());
            boolean compiled = compiler.getTask(words, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            assertThat(words.toString()).isEmpty();
            assertThat(compiled).isTrue();
        }
    }

    /** Returns what the main method of a compiled program prints. */
    static String printed(String program, Path dir, String... arguments)
            throws ReflectiveOperationException, IOException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        try (URLClassLoader classes = new URLClassLoader(new URL[] {dir.toUri().toURL()})) {
            Method main = classes.loadClass(program).getMethod("main", String[].class);
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            main.invoke(null, (Object) arguments);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    /** Returns a JVM that runs a class or a source file in a folder, with the options that README gives. */
    static ProcessBuilder java(Path dir, String classPath, String... command) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports",
                "java.base/jdk.internal.misc=ALL-UNNAMED",
                // From JDK 24 on LWJGL is warned of; a JDK that knows no such option passes over it.
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath));
        words.addAll(List.of(command));
        return new ProcessBuilder(words).directory(dir.toFile());
    }
}
