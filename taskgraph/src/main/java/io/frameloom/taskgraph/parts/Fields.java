package io.frameloom.taskgraph.parts;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Access to fields in other orders than that of their declaration. For initialisers of static final fields. */
public final class Fields {
    private Fields() {}

    public static VarHandle handle(MethodHandles.Lookup lookup, Class<?> owner, String field, Class<?> type) {
        try {
            return lookup.findVarHandle(owner, field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
