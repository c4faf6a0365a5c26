package io.frameloom.rdg;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of all objects that can be reached from one, by the layout of a JVM with compressed references: what the
 * object keeps in memory. Collections count as their elements, other objects of the JDK as a few bytes, constants of
 * classes not at all.
 */
final class PlanFootprint {
    private static final int HEADER = 12;
    private static final int ARRAY_HEADER = 16;
    private static final int REFERENCE = 4;

    private final Set<Object> known = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Leaves out what can be reached from an object. */
    void leaveOut(Object root) {
        bytes(root);
    }

    /** Returns the bytes of what can be reached from an object and was neither counted nor left out before. */
    long bytes(Object root) {
        Deque<Object> open = new ArrayDeque<>();
        add(root, open);
        long bytes = 0;
        while (!open.isEmpty()) {
            bytes += visit(open.pop(), open);
        }
        return bytes;
    }

    /** Returns whether an object of a type was counted or left out. */
    boolean reaches(Class<?> type) {
        return known.stream().anyMatch(type::isInstance);
    }

    private void add(@Nullable Object object, Deque<Object> open) {
        if (object != null && !isConstant(object) && known.add(object)) {
            open.push(object);
        }
    }

    private static boolean isConstant(Object object) {
        return object instanceof Enum<?> || object instanceof Class<?> || object instanceof String;
    }

    private long visit(Object object, Deque<Object> open) {
        Class<?> type = object.getClass();
        if (type.isArray()) {
            int length = Array.getLength(object);
            if (object instanceof Object[] elements) {
                for (Object element : elements) {
                    add(element, open);
                }
            }
            return aligned(ARRAY_HEADER + (long) length * bytesOf(type.getComponentType()));
        }
        if (!type.getName().startsWith("io.frameloom.")) {
            Collection<?> elements = object instanceof Collection<?> all ? all : Set.of();
            for (Object element : elements) {
                add(element, open);
            }
            return aligned(ARRAY_HEADER + (long) elements.size() * REFERENCE);
        }
        long bytes = HEADER;
        for (Class<?> part = type; part != Object.class; part = part.getSuperclass()) {
            for (Field field : part.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    bytes += bytesOf(field.getType());
                    if (!field.getType().isPrimitive()) {
                        add(value(field, object), open);
                    }
                }
            }
        }
        return aligned(bytes);
    }

    private static @Nullable Object value(Field field, Object of) {
        // What another module hides is part of a description, which the graph has as well.
        if (!field.trySetAccessible()) {
            return null;
        }
        try {
            return field.get(of);
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static int bytesOf(Class<?> type) {
        if (type == boolean.class || type == byte.class) {
            return 1;
        }
        if (type == short.class || type == char.class) {
            return 2;
        }
        return type == long.class || type == double.class ? Long.BYTES : REFERENCE;
    }

    private static long aligned(long bytes) {
        return (bytes + 7) & -8;
    }
}
