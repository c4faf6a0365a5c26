package io.frameloom.rdg.declare;

import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.parameter.Nested;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the components of a class of records say about the uses of a pass; resolved once for each class. */
public final class ParameterLayout {
    private static final ClassValue<ParameterLayout> LAYOUTS = new ClassValue<>() {
        @Override
        protected ParameterLayout computeValue(Class<?> type) {
            return new ParameterLayout(type.asSubclass(Record.class));
        }
    };

    private static final MethodType GETTER = MethodType.methodType(Object.class, Record.class);
    private static final MethodType CONSTRUCTOR = MethodType.methodType(Record.class, Object[].class);

    private final List<Component> components = new ArrayList<>();
    private final MethodHandle constructor;

    /**
     * A component.
     *
     * @param described record and component, for messages
     * @param uses what its annotations say, none for plain data
     * @param nested whether it holds further parameters
     */
    private record Component(String described, MethodHandle getter, List<ParameterUse> uses, boolean nested) {}

    private ParameterLayout(Class<? extends Record> type) {
        RecordComponent[] declared = type.getRecordComponents();
        Class<?>[] types = new Class<?>[declared.length];
        for (int i = 0; i < declared.length; i++) {
            types[i] = declared[i].getType();
            components.add(component(type, declared[i]));
        }
        try {
            Constructor<? extends Record> canonical = type.getDeclaredConstructor(types);
            requireAccess(type, canonical.trySetAccessible());
            constructor = MethodHandles.lookup()
                    .unreflectConstructor(canonical)
                    .asFixedArity()
                    .asSpreader(Object[].class, types.length)
                    .asType(CONSTRUCTOR);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("record " + type.getName() + " has no canonical constructor", impossible);
        }
    }

    /**
     * Returns the layout of a class.
     *
     * @param subject name of the caller, the start of a message
     * @throws RdgException if an annotation does not fit its component
     */
    public static ParameterLayout of(Class<? extends Record> type, String subject) {
        try {
            return LAYOUTS.get(type);
        } catch (RdgException unfit) {
            throw new RdgException(subject + ": " + unfit.getMessage(), unfit);
        }
    }

    /** Declares the uses of all components that are not null. */
    public void declare(PassBuilder pass, PassDeclaration declaration, Record parameters) {
        for (Component component : components) {
            if (component.nested || !component.uses.isEmpty()) {
                declaration.component(component.described);
                declare(pass, declaration, component, get(component, parameters));
            }
        }
    }

    private static void declare(
            PassBuilder pass, PassDeclaration declaration, Component component, @Nullable Object value) {
        if (value == null) {
            return;
        }
        if (value instanceof List<?> elements) {
            for (int i = 0; i < elements.size(); i++) {
                declare(pass, declaration, component, elements.get(i));
            }
            return;
        }
        if (component.nested) {
            if (!(value instanceof Record nested)) {
                throw new RdgException(component.described + " is @Nested but holds a "
                        + value.getClass().getName() + "; let it hold records");
            }
            of(nested.getClass(), component.described).declare(pass, declaration, nested);
            return;
        }
        for (int i = 0; i < component.uses.size(); i++) {
            component.uses.get(i).declare(pass, declaration, value, component.described);
        }
    }

    /** Returns a record whose components for shader bindings that are not among {@code used} are null. */
    public Record without(Record parameters, Set<String> used) {
        @Nullable Object[] values = new Object[components.size()];
        for (int i = 0; i < values.length; i++) {
            Component component = components.get(i);
            Object value = get(component, parameters);
            boolean bound = false;
            boolean kept = false;
            for (ParameterUse use : component.uses) {
                bound |= use.binding() != null;
                kept |= use.binding() == null || used.contains(use.binding());
            }
            if (component.nested && value instanceof Record nested) {
                value = of(nested.getClass(), component.described).without(nested, used);
            }
            values[i] = bound && !kept ? null : value;
        }
        try {
            return (Record) constructor.invokeExact(values);
        } catch (RuntimeException | Error refused) {
            throw refused;
        } catch (Throwable refused) {
            throw new IllegalStateException(refused);
        }
    }

    private static @Nullable Object get(Component component, Record parameters) {
        try {
            return (Object) component.getter.invokeExact(parameters);
        } catch (RuntimeException | Error refused) {
            throw refused;
        } catch (Throwable refused) {
            throw new IllegalStateException(component.described + " cannot be read", refused);
        }
    }

    private static Component component(Class<? extends Record> type, RecordComponent declared) {
        String described = "component '" + declared.getName() + "' of record " + type.getName();
        List<ParameterUse> uses = new ArrayList<>(1);
        for (Annotation annotation : declared.getAnnotations()) {
            ParameterUse use = ParameterUse.of(annotation, declared.getName());
            if (use != null) {
                requireFit(use, declared.getType(), described);
                uses.add(use);
            }
        }
        boolean nested = declared.isAnnotationPresent(Nested.class);
        if (nested && !Record.class.isAssignableFrom(declared.getType()) && declared.getType() != List.class) {
            throw new RdgException(described + " is @Nested but of type "
                    + declared.getType().getName() + "; make it a record or a List of records");
        }
        if (uses.isEmpty() && !nested && ParameterUse.isHandle(declared.getType())) {
            throw new RdgException(described + " is a " + declared.getType().getSimpleName()
                    + " without annotation; say how the pass uses it, such as by @Sampled or @Storage");
        }
        return new Component(described, getter(type, declared.getAccessor()), List.copyOf(uses), nested);
    }

    private static void requireFit(ParameterUse use, Class<?> type, String described) {
        if (type != List.class && !use.types().contains(type)) {
            throw new RdgException(described + " is a " + type.getSimpleName() + ", but @" + use.name()
                    + " takes one of "
                    + use.types().stream().map(Class::getSimpleName).sorted().toList() + " or a List of them");
        }
    }

    private static MethodHandle getter(Class<? extends Record> type, Method accessor) {
        requireAccess(type, accessor.trySetAccessible());
        try {
            return MethodHandles.lookup().unreflect(accessor).asType(GETTER);
        } catch (IllegalAccessException refused) {
            throw new IllegalStateException(accessor + " was made accessible", refused);
        }
    }

    private static void requireAccess(Class<? extends Record> type, boolean accessible) {
        if (!accessible) {
            throw new RdgException("record " + type.getName() + " cannot be read; let module "
                    + type.getModule().getName() + " open package " + type.getPackageName()
                    + " to io.frameloom.rdg, or export it and make the record public");
        }
    }
}
