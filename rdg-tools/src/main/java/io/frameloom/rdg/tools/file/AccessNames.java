package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.command.Access;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names of accesses in files: the constants in camel case with a few words shortened. */
public final class AccessNames {
    private static final String UNIFORM = "uniform";
    private static final Map<String, Access> BY_NAME = byName();

    private AccessNames() {}

    /** Returns the name of an access. */
    public static String of(Access access) {
        return switch (access) {
            case UNIFORM_GRAPHICS, UNIFORM_COMPUTE -> UNIFORM;
            default ->
                JsonCursor.camelCase(access.name()
                                .replace("STORAGE_READ_WRITE", "STORAGE_RW")
                                .replace("FRAGMENT", "FRAG")
                                .replace("VERTEX", access == Access.VERTEX ? "VERTEX" : "VERT")
                                .replace("COMPUTE", "COMP"))
                        .replace("Rw", "RW");
        };
    }

    /** Reads the name of an access. */
    static String known(JsonCursor json) {
        String name = json.string();
        if (!name.equals(UNIFORM) && !BY_NAME.containsKey(name)) {
            throw json.unknown("access", name, UNIFORM + ", " + String.join(", ", BY_NAME.keySet()));
        }
        return name;
    }

    /** Returns the access of a use of a pass. */
    static Access access(FileGraph.Pass pass, FileGraph.Use use) {
        return access(use.access, pass.kind == FileGraph.Kind.COMPUTE);
    }

    /** Returns the access of a name in a pass that computes, or does not. */
    static Access access(String name, boolean computes) {
        @Nullable Access access = BY_NAME.get(name);
        if (access == null) {
            return computes ? Access.UNIFORM_COMPUTE : Access.UNIFORM_GRAPHICS;
        }
        return access;
    }

    private static Map<String, Access> byName() {
        Map<String, Access> names = new LinkedHashMap<>();
        for (Access access : Access.values()) {
            String name = of(access);
            if (!name.equals(UNIFORM)) {
                names.put(name, access);
            }
        }
        return names;
    }
}
