package io.frameloom.testing;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The packages of one library module, read from its compiled classes. A package that the module exports to everybody is
 * API, each other one is internal. A test states the rules that its module keeps. Any thread may call it.
 */
public final class Rooms {
    /** A package with more files is split. */
    private static final int MOST_FILES = 60;

    private final JavaClasses classes;
    private final Set<String> api;

    private Rooms(JavaClasses classes, Set<String> api) {
        this.classes = classes;
        this.api = api;
    }

    /** Reads the module that a test runs in: its folder is the working directory. */
    public static Rooms ofThisModule() {
        Path compiled = Path.of("target", "classes");
        try (InputStream descriptor = Files.newInputStream(compiled.resolve("module-info.class"))) {
            Set<String> exported = ModuleDescriptor.read(descriptor).exports().stream()
                    .filter(each -> !each.isQualified())
                    .map(ModuleDescriptor.Exports::source)
                    .collect(Collectors.toCollection(TreeSet::new));
            return new Rooms(new ClassFileImporter().importPath(compiled), exported);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Fails if a package is too large to be known by heart. */
    public void areSmall() {
        Map<String, Set<String>> files = new TreeMap<>();
        for (JavaClass each : classes) {
            files.computeIfAbsent(each.getPackageName(), name -> new TreeSet<>())
                    .add(each.getSource().orElseThrow().getFileName().orElseThrow());
        }
        refuse(files.entrySet().stream()
                .filter(each -> each.getValue().size() > MOST_FILES)
                .map(each -> each.getKey() + " has " + each.getValue().size() + " files"));
    }

    /** Fails if API packages depend on each other in a circle, or internal ones do. */
    public void haveNoCycles() {
        noCycles("API packages", true);
        noCycles("internal packages", false);
    }

    private void noCycles(String what, boolean exported) {
        SliceAssignment assignment = new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return classes.contain(type.getFullName()) && isApi(type) == exported
                        ? SliceIdentifier.of(type.getPackageName())
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return what;
            }
        };
        ArchRule rule =
                slices().assignedFrom(assignment).should().beFreeOfCycles().allowEmptyShould(true);
        rule.check(classes);
    }

    /** Fails if a user of an API package meets a type that is not exported. */
    public void showNoInternals() {
        List<String> shown = new ArrayList<>();
        for (JavaClass type : classes) {
            if (isApi(type) && isVisible(type)) {
                type.getSuperclass().ifPresent(superclass -> note(shown, type.getName(), superclass));
                type.getInterfaces().forEach(each -> note(shown, type.getName(), each));
                type.getMembers().stream().filter(Rooms::isVisible).forEach(member -> note(shown, member));
            }
        }
        refuse(shown.stream());
    }

    private void note(List<String> shown, JavaMember member) {
        if (member instanceof JavaField field) {
            note(shown, member.getFullName(), field.getType());
        } else if (member instanceof JavaCodeUnit unit) {
            note(shown, member.getFullName(), unit.getReturnType());
            unit.getParameterTypes().forEach(each -> note(shown, member.getFullName(), each));
            unit.getThrowsClause().getTypes().forEach(each -> note(shown, member.getFullName(), each));
        }
    }

    private void note(List<String> shown, String place, JavaType type) {
        for (JavaClass each : type.getAllInvolvedRawTypes()) {
            if (classes.contain(each.getFullName()) && !isApi(each)) {
                shown.add(place + " shows " + each.getName());
            }
        }
    }

    /**
     * Fails if a class of some packages uses one of others, or there is no such class.
     *
     * @param users beginning of the name of the packages that do not know the others
     * @param used beginning of the names of those others
     */
    public void keepApart(String users, String... used) {
        if (classes.stream().noneMatch(type -> type.getPackageName().startsWith(users))) {
            throw new AssertionError("no class lies in " + users);
        }
        refuse(classes.stream()
                .filter(type -> type.getPackageName().startsWith(users))
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(each -> Stream.of(used)
                        .anyMatch(name -> each.getTargetClass().getPackageName().startsWith(name)))
                .map(each -> each.getDescription()));
    }

    private boolean isApi(JavaClass type) {
        return api.contains(type.getPackageName());
    }

    private static boolean isVisible(JavaClass type) {
        return isVisible(type.getModifiers())
                && type.getEnclosingClass().map(Rooms::isVisible).orElse(true);
    }

    private static boolean isVisible(JavaMember member) {
        return isVisible(member.getModifiers()) && !member.getModifiers().contains(JavaModifier.SYNTHETIC);
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static void refuse(Stream<String> found) {
        List<String> lines = found.sorted().distinct().toList();
        if (!lines.isEmpty()) {
            throw new AssertionError(String.join("\n", lines));
        }
    }
}
