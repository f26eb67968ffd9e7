# Stores 1,000 objects with SQLAlchemy.
import sys
import sqlalchemy
from sqlalchemy.orm import Session, declarative_base

Base = declarative_base()


class Item(Base):
    __tablename__ = "item"
    id = sqlalchemy.Column(sqlalchemy.Integer, primary_key=True)
    name = sqlalchemy.Column(sqlalchemy.String)


engine = sqlalchemy.create_engine("sqlite:///" + sys.argv[1] + "/store.db")
Base.metadata.create_all(engine)
with Session(engine) as session:
    session.add_all([Item(name=f"name {row}") for row in range(1000)])
    session.commit()
    print(session.query(Item).count())
